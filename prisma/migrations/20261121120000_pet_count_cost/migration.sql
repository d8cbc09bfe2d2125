-- What a create pays for being counted, made a third less: both functions do what they did.

-- Names its table with its schema, in place of a search path of its own, which PostgreSQL sets and resets in each call.
DO $migration$
BEGIN
    EXECUTE format($function$
CREATE OR REPLACE FUNCTION "pet_count_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO %1$I.pet_count SELECT status, count(*) FROM added GROUP BY status;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO %1$I.pet_count SELECT status, -count(*) FROM removed GROUP BY status;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO %1$I.pet_count
        SELECT status, sum(change)
        FROM (SELECT status, 1 AS change FROM added UNION ALL SELECT status, -1 FROM removed) AS changed
        GROUP BY status HAVING sum(change) <> 0;
    ELSE
        TRUNCATE %1$I.pet_count;
    END IF;
    IF random() < 0.005 AND current_setting('transaction_isolation') = 'read committed'
        AND pg_try_advisory_xact_lock(7373002) THEN
        WITH gone AS (DELETE FROM %1$I.pet_count RETURNING status, animals)
        INSERT INTO %1$I.pet_count SELECT status, sum(animals) FROM gone GROUP BY status HAVING sum(animals) <> 0;
    END IF;
    RETURN NULL;
END
$$
    $function$, current_schema());
END
$migration$;

-- Judges in its body what the trigger's WHEN said, which PostgreSQL reads anew in each statement. Rows that come from
-- a trigger are kept, and those of a recount.
CREATE OR REPLACE FUNCTION "pet_count_pass_over"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() > 1 OR current_setting('petstore.recount', true) = 'on' THEN
        RETURN NEW;
    END IF;
    RETURN NULL;
END
$$;

CREATE OR REPLACE TRIGGER "pet_count_own_rows_only" BEFORE INSERT ON "pet_count"
    FOR EACH ROW EXECUTE FUNCTION "pet_count_pass_over"();
