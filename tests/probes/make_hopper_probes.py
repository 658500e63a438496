#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes hopper.json: probes of what an sm_90a GPU does asynchronously, of clusters and of matrix sums (probe_parts.py)."""
import json
import pathlib

import bulk_probes
import cluster_probes
import probe_parts
import product_probes

# In whose last bits the emulator differs from the record, and how far that is understood.
DIFFERS = {"mma sums m16n8k16 f32.e": "Hopper has no such instruction and makes it of others, in an order that is not known",
           "mma sums m8n8k4": "Hopper has no such instruction and makes it of others, in an order that is not known"}
DIFFERS.update({start.replace("k16 f32", f"k{k} {d}"): why for start, why in list(DIFFERS.items()) for k in (16, 32) for d in ("f32", "f16")})

if __name__ == "__main__":
    book = probe_parts.Book()
    add = book.add

    def renewing(*args, **kwargs):
        add(*args, **kwargs)
        probe_parts.start_labels()

    book.add = renewing
    for room in (bulk_probes.bulk, cluster_probes.cluster, product_probes.products):
        room(book)
    for probe in book.probes:
        for start, why in DIFFERS.items():
            if probe["name"].startswith(start):
                probe["differs"] = why
    path = pathlib.Path(__file__).with_name("hopper.json")
    path.write_text("[\n" + ",\n".join(json.dumps(p) for p in book.probes) + "\n]\n")
    print(f"{len(book.probes)} probes in {path.name}")
