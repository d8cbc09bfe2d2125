-- A separate transaction, so that reads and writes continue during the scan. A store into which someone loaded a name of
-- another length must start too: its new rows are checked all the same.
DO $$
BEGIN
    ALTER TABLE "pet" VALIDATE CONSTRAINT "pet_name_length";
EXCEPTION WHEN check_violation THEN
    RAISE WARNING 'The table pet has names that are not 1 to 200 characters long.';
END
$$;
