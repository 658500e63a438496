// SPDX-License-Identifier: GPL-3.0-or-later
//
// <Python.h>: what host code asks CPython for, over pybind11's objects. Reference counts mean nothing here.
#pragma once
#include "kernelarium/py_convert.h"

#define Py_None (::kl::boxed(kl_value{KL_NONE, 0, {0}}))
#define Py_True (::kl::boxed(kl_value{KL_BOOL, 0, {1}}))
#define Py_False (::kl::boxed(kl_value{KL_BOOL, 0, {0}}))
#define Py_INCREF(o) ((void)(o))
#define Py_DECREF(o) ((void)(o))
#define Py_XINCREF(o) ((void)(o))
#define Py_XDECREF(o) ((void)(o))
#define Py_RETURN_NONE return Py_None
using Py_ssize_t = long;

namespace kl {
inline bool isKind(PyObject* o, const char* kind) {
    return callValue("py.isinstance", {o->value, kind}).i != 0;
}
inline bool hasItem(PyObject* o, const kl_value& key) {
    return callValue("py.contains", {o->value, key}).i != 0;
}
inline PyObject* itemIn(PyObject* o, const kl_value& key) {
    return boxed(callValue("py.getitem", {o->value, key}));
}
} // namespace kl

inline int PyDict_Check(PyObject* o) {
    return kl::isKind(o, "dict");
}
inline int PyMapping_Check(PyObject* o) {
    return kl::isKind(o, "dict");
}
inline int PyList_Check(PyObject* o) {
    return kl::isKind(o, "list");
}
inline int PyTuple_Check(PyObject* o) {
    return kl::isKind(o, "tuple");
}
inline int PySequence_Check(PyObject* o) {
    return kl::isKind(o, "sequence");
}
inline int PyUnicode_Check(PyObject* o) {
    return kl::isKind(o, "str");
}
inline int PyLong_Check(PyObject* o) {
    return kl::isKind(o, "int");
}
inline int PyBool_Check(PyObject* o) {
    return kl::isKind(o, "bool");
}
inline int PyFloat_Check(PyObject* o) {
    return kl::isKind(o, "float");
}
inline int PyMapping_HasKeyString(PyObject* o, const char* key) {
    return kl::hasItem(o, kl::Arg(key));
}
inline int PyMapping_HasKey(PyObject* o, PyObject* key) {
    return kl::hasItem(o, key->value);
}
inline int PyDict_Contains(PyObject* o, PyObject* key) {
    return kl::hasItem(o, key->value);
}
inline int PySequence_Contains(PyObject* o, PyObject* item) {
    return kl::hasItem(o, item->value);
}
inline PyObject* PyMapping_GetItemString(PyObject* o, const char* key) {
    return kl::itemIn(o, kl::Arg(key));
}
inline PyObject* PyObject_GetItem(PyObject* o, PyObject* key) {
    return kl::itemIn(o, key->value);
}
inline PyObject* PyDict_GetItemString(PyObject* o, const char* key) {
    return PyMapping_HasKeyString(o, key) ? kl::itemIn(o, kl::Arg(key)) : nullptr;
}
inline PyObject* PyDict_GetItem(PyObject* o, PyObject* key) {
    return kl::hasItem(o, key->value) ? kl::itemIn(o, key->value) : nullptr;
}
inline PyObject* PyList_GetItem(PyObject* o, Py_ssize_t i) {
    return kl::itemIn(o, kl::Arg(i));
}
inline PyObject* PyTuple_GetItem(PyObject* o, Py_ssize_t i) {
    return kl::itemIn(o, kl::Arg(i));
}
inline PyObject* PySequence_GetItem(PyObject* o, Py_ssize_t i) {
    return kl::itemIn(o, kl::Arg(i));
}
inline Py_ssize_t PyObject_Length(PyObject* o) {
    return kl::callValue("py.len", {o->value}).i;
}
inline Py_ssize_t PyObject_Size(PyObject* o) {
    return PyObject_Length(o);
}
inline Py_ssize_t PyDict_Size(PyObject* o) {
    return PyObject_Length(o);
}
inline Py_ssize_t PyMapping_Size(PyObject* o) {
    return PyObject_Length(o);
}
inline Py_ssize_t PyList_Size(PyObject* o) {
    return PyObject_Length(o);
}
inline Py_ssize_t PyTuple_Size(PyObject* o) {
    return PyObject_Length(o);
}
inline Py_ssize_t PySequence_Size(PyObject* o) {
    return PyObject_Length(o);
}
inline int PyObject_HasAttrString(PyObject* o, const char* name) {
    return kl::callValue("py.hasattr", {o->value, name}).i != 0;
}
inline PyObject* PyObject_GetAttrString(PyObject* o, const char* name) {
    return kl::boxed(kl::callValue("py.getattr", {o->value, name}));
}
inline int PyObject_IsTrue(PyObject* o) {
    return kl::callValue("py.bool", {o->value}).i != 0;
}
inline PyObject* PyObject_Str(PyObject* o) {
    return kl::boxed(kl::callValue("py.str", {o->value}));
}
inline PyObject* PyObject_Repr(PyObject* o) {
    return kl::boxed(kl::callValue("py.repr", {o->value}));
}
inline PyObject* PyDict_Keys(PyObject* o) {
    return kl::boxed(kl::callValue("py.keys", {o->value}));
}
inline long PyLong_AsLong(PyObject* o) {
    return kl::callValue("py.int", {o->value}).i;
}
inline long long PyLong_AsLongLong(PyObject* o) {
    return PyLong_AsLong(o);
}
inline double PyFloat_AsDouble(PyObject* o) {
    return kl::callValue("py.float", {o->value}).d;
}
inline const char* PyUnicode_AsUTF8(PyObject* o) {
    return kl::Load<const char*>::from(o->value);
}
inline PyObject* PyLong_FromLong(long v) {
    return kl::boxed(kl::Arg(v));
}
inline PyObject* PyFloat_FromDouble(double v) {
    return kl::boxed(kl::Arg(v));
}
inline PyObject* PyErr_Occurred() {
    return nullptr;
} // errors are raised at once
inline void PyErr_Clear() {}
inline bool THPVariable_Check(PyObject* o) {
    return o && o->value.kind == KL_TENSOR;
}
inline at::Tensor THPVariable_Unpack(PyObject* o) {
    return kl::Load<at::Tensor>::from(o->value);
}
