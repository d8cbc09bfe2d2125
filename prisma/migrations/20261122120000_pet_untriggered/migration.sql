-- What a create pays for being counted, made a third: the service counts what it inserts in the same statement, past the
-- triggers, which are for everybody else. Only the triggers per statement of the table that a statement names go off, so
-- each of the two tables gets a second name: a partitioned table, of which it is the only partition. Triggers per row
-- and foreign keys hold under either.

-- They may be there: a dump from before this migration, restored over a database that had it, leaves them alone. They
-- hold on to no sequence, so that it can.
CREATE TABLE IF NOT EXISTS "pet_untriggered" (LIKE "pet") PARTITION BY LIST ("id");
ALTER TABLE "pet_untriggered" ALTER COLUMN "created_at" SET DEFAULT CURRENT_TIMESTAMP;
ALTER TABLE "pet_untriggered" ATTACH PARTITION "pet" DEFAULT;
COMMENT ON TABLE "pet_untriggered" IS
    'The table pet past its triggers, for statements that count what they insert. To drop it is to drop pet.';

CREATE TABLE IF NOT EXISTS "pet_count_untriggered" (LIKE "pet_count") PARTITION BY LIST ("animals");
ALTER TABLE "pet_count_untriggered" ATTACH PARTITION "pet_count" DEFAULT;
COMMENT ON TABLE "pet_count_untriggered" IS
    'The table pet_count past its trigger, for rows that count something. To drop it is to drop pet_count.';

-- Whoever may use the tables may do so under these names.
DO $migration$
DECLARE
    allowed record;
BEGIN
    FOR allowed IN
        SELECT inhparent::regclass AS name, acl.privilege_type, acl.is_grantable,
            CASE acl.grantee WHEN 0 THEN 'PUBLIC' ELSE acl.grantee::regrole::text END AS grantee
        FROM pg_inherits JOIN pg_class AS child ON child.oid = inhrelid, LATERAL aclexplode(child.relacl) AS acl
        WHERE inhparent IN ('pet_untriggered'::regclass, 'pet_count_untriggered'::regclass)
    LOOP
        EXECUTE format('GRANT %s ON %s TO %s %s', allowed.privilege_type, allowed.name, allowed.grantee,
            CASE WHEN allowed.is_grantable AND allowed.grantee <> 'PUBLIC' THEN 'WITH GRANT OPTION' END);
    END LOOP;
END
$migration$;

DO $migration$
BEGIN
    EXECUTE format($function$
CREATE OR REPLACE FUNCTION "pet_count_change"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO %1$I.pet_count_untriggered SELECT status, count(*) FROM added GROUP BY status;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO %1$I.pet_count_untriggered SELECT status, -count(*) FROM removed GROUP BY status;
    ELSIF TG_OP = 'UPDATE' THEN
        INSERT INTO %1$I.pet_count_untriggered
        SELECT status, sum(change)
        FROM (SELECT status, 1 AS change FROM added UNION ALL SELECT status, -1 FROM removed) AS changed
        GROUP BY status HAVING sum(change) <> 0;
    ELSE
        TRUNCATE %1$I.pet_count;
    END IF;
    RETURN NULL;
END
$$
    $function$, current_schema());

    -- Rows that a restore of data alone brings stay, and are made up for: the animals that it brings are counted above.
    -- The setting is that of services of the version before, which add up rows under this name.
    EXECUTE format($function$
CREATE OR REPLACE FUNCTION "pet_count_offset"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_setting('petstore.recount', true) IS DISTINCT FROM 'on' THEN
        INSERT INTO %1$I.pet_count_untriggered
        SELECT status, -sum(animals) FROM added GROUP BY status HAVING sum(animals) <> 0;
    END IF;
    RETURN NULL;
END
$$
    $function$, current_schema());
END
$migration$;

CREATE OR REPLACE TRIGGER "pet_count_insert" AFTER INSERT ON "pet"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_change"();
DROP FUNCTION "pet_count_insert"();

DROP TRIGGER "pet_count_own_rows_only" ON "pet_count";
DROP FUNCTION "pet_count_pass_over"();
CREATE TRIGGER "pet_count_offset" AFTER INSERT ON "pet_count"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_offset"();
