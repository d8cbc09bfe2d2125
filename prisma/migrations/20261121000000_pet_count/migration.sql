-- CreateTable
CREATE TABLE "pet_count" (
    "status" "PetStatus" NOT NULL,
    "animals" BIGINT NOT NULL
);

-- Rows have no key, as they are only ever added up.
ALTER TABLE "pet_count" REPLICA IDENTITY FULL;

-- How many animals there are is the sum of how many each statement added or took away. Statements only insert here, so
-- that they never wait for each other; a row is a part of the transaction of its statement. Now and then one of them
-- adds up what is there already: not while another does, and not where a concurrent one would make it fail.
CREATE FUNCTION "pet_count_change"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO pet_count SELECT status, count(*) FROM added GROUP BY status;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO pet_count SELECT status, -count(*) FROM removed GROUP BY status;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO pet_count
        SELECT status, sum(change)
        FROM (SELECT status, 1 AS change FROM added UNION ALL SELECT status, -1 FROM removed) AS changed
        GROUP BY status HAVING sum(change) <> 0;
    ELSE
        TRUNCATE pet_count;
    END IF;
    IF random() < 0.005 AND current_setting('transaction_isolation') = 'read committed'
        AND pg_try_advisory_xact_lock(7373002) THEN
        WITH gone AS (DELETE FROM pet_count RETURNING status, animals)
        INSERT INTO pet_count SELECT status, sum(animals) FROM gone GROUP BY status HAVING sum(animals) <> 0;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "pet_count_insert" AFTER INSERT ON "pet"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_change"();
CREATE TRIGGER "pet_count_delete" AFTER DELETE ON "pet"
    REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_change"();
CREATE TRIGGER "pet_count_update" AFTER UPDATE ON "pet"
    REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_change"();
CREATE TRIGGER "pet_count_truncate" AFTER TRUNCATE ON "pet"
    FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_change"();

-- A restore of data alone brings the rows of this table too, while the animals that it brings are counted above. With
-- the triggers off, as in a whole restore, neither happens, and the rows are what they were.
CREATE FUNCTION "pet_count_pass_over"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RETURN NULL;
END
$$;

CREATE TRIGGER "pet_count_own_rows_only" BEFORE INSERT ON "pet_count" FOR EACH ROW
    WHEN (pg_trigger_depth() = 0 AND current_setting('petstore.recount', true) IS DISTINCT FROM 'on')
    EXECUTE FUNCTION "pet_count_pass_over"();

-- The triggers hold off whoever writes until this is committed.
SET LOCAL petstore.recount = 'on';
INSERT INTO "pet_count" SELECT "status", count(*) FROM "pet" GROUP BY "status";
