-- What a create pays for being counted, made less: the service counts what it inserts in the same statement, past the
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

-- Rows that a restore of data alone brings stay, and are made up for: the triggers count the animals that it brings. Not
-- made up for are rows of these triggers, and of services of the version before, which add up rows under this name and
-- have a setting to say so.
DO $migration$
BEGIN
    EXECUTE format($function$
CREATE OR REPLACE FUNCTION "pet_count_offset"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() = 1 AND current_setting('petstore.recount', true) IS DISTINCT FROM 'on' THEN
        INSERT INTO %1$I.pet_count_untriggered
        SELECT status, -sum(animals) FROM added GROUP BY status HAVING sum(animals) <> 0;
    END IF;
    RETURN NULL;
END
$$
    $function$, current_schema());
END
$migration$;

DROP TRIGGER "pet_count_own_rows_only" ON "pet_count";
DROP FUNCTION "pet_count_pass_over"();
CREATE TRIGGER "pet_count_offset" AFTER INSERT ON "pet_count"
    REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION "pet_count_offset"();
