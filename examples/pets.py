#!/usr/bin/env python3
"""Adds an animal, then prints all animals as CSV. Uses only the standard library.

Needs PETSTORE_URL, such as http://localhost:3000, and PETSTORE_API_KEY.
"""

import csv
import json
import os
import re
import sys
import time
import uuid
from http.client import HTTPException
from urllib.error import HTTPError, URLError
from urllib.parse import urljoin
from urllib.request import Request, urlopen

url = os.environ.get("PETSTORE_URL")
api_key = os.environ.get("PETSTORE_API_KEY")
if not url:
    sys.exit("Set PETSTORE_URL to the address of the service, such as http://localhost:3000.")
if not api_key:
    sys.exit("Set PETSTORE_API_KEY to an API key with the scopes read and write.")
pets_url = urljoin(url, "/v1/pets")
retries = 3
# The last ones are those of Cloudflare.
temporary_statuses = (409, 429, 502, 503, 504, 520, 521, 522, 523, 524, 530)


def send(request):
    """Sends a request. Retries lost connections and the statuses that are worth a retry."""
    request.add_header("Authorization", f"Bearer {api_key}")
    for attempt in range(retries + 1):
        delay = 0.3 * 2**attempt
        try:
            with urlopen(request, timeout=10) as response:
                return json.load(response), response.headers
        except HTTPError as error:
            if error.code not in temporary_statuses or attempt == retries:
                # The text of the service is JSON. That of a proxy may be a page.
                sys.exit(f"{error.code} {error.reason}: {error.read().decode(errors='replace')}")
            delay = float(error.headers.get("Retry-After", delay))
        # A response that was cut is an HTTPException.
        except (URLError, OSError, HTTPException):
            if attempt == retries:
                raise
        time.sleep(delay)


def create_pet(name, category_id):
    """Adds an animal. All attempts have the same idempotency key, so the service adds it once."""
    body = json.dumps({"name": name, "categoryId": category_id}).encode()
    headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid.uuid4())}
    pet, _ = send(Request(pets_url, data=body, headers=headers))
    return pet


def list_pets():
    """Yields all animals. The Link header of each page has the next one, relative to the page."""
    page_url = f"{pets_url}?limit=100"
    while page_url:
        pets, headers = send(Request(page_url))
        yield from pets
        next_link = re.search(r'<([^>]*)>; rel="next"', headers.get("Link", ""))
        page_url = next_link and urljoin(page_url, next_link[1])


# Python keeps all digits of integers.
pet = create_pet("Bella", 9223372036854775807)
print(f"Added {pet['name']} with the number {pet['id']}.", file=sys.stderr)
# A later version of the service may add fields.
output = csv.DictWriter(sys.stdout, ["id", "name", "categoryId", "status"], extrasaction="ignore")
output.writeheader()
output.writerows(list_pets())
