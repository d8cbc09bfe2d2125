-- petstore: compatible: every version rejects such names before it writes them.

-- NOT VALID: without a scan of the table, the lock on it is short. The next migration scans it.
ALTER TABLE "pet" ADD CONSTRAINT "pet_name_length" CHECK (char_length("name") BETWEEN 1 AND 200) NOT VALID;
