#!/bin/sh
# Adds an animal, counts all animals, and prints all available ones, page by page.
# Needs PETSTORE_URL, such as http://localhost:3000, and PETSTORE_API_KEY.
set -eu
: "${PETSTORE_URL:?Set it to the address of the service, such as http://localhost:3000.}"
: "${PETSTORE_API_KEY:?Set it to an API key with the scopes read and write.}"
url=${PETSTORE_URL%/}

# Sends a request with the API key. The key is on standard input, because other users of the machine see arguments.
api() {
  printf 'header = "Authorization: Bearer %s"\n' "$PETSTORE_API_KEY" |
    curl --config - --silent --show-error --fail-with-body --retry 3 --retry-connrefused "$@"
}

# The idempotency key makes retries safe: the service adds the animal once in 24 hours, also when this program runs again.
api "$url/v1/pets" \
  --header 'Content-Type: application/json' --header 'Idempotency-Key: example-pets-sh' \
  --data '{"name": "Rex", "categoryId": 7}'
echo

api "$url/v1/pets?limit=1" --header 'Prefer: count=exact' --output /dev/null \
  --write-out 'There are %header{x-total-count} animals.\n'

# The Link header of each page has the path of the next one. The last page has none.
path='/v1/pets?status=available&limit=100'
while [ -n "$path" ]; do
  response=$(api "$url$path" --write-out '\n%header{link}')
  printf '%s\n' "$response" | sed -n 1p
  path=$(printf '%s\n' "$response" | sed -n '2s/.*<\([^>]*\)>; rel="next".*/\1/p')
done
