-- CreateEnum
CREATE TYPE "PetStatus" AS ENUM ('available', 'pending', 'sold');

-- CreateEnum
CREATE TYPE "ApiKeyScope" AS ENUM ('read', 'write');

-- CreateTable
CREATE TABLE "pet" (
    "id" BIGSERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "category_id" BIGINT NOT NULL,
    "status" "PetStatus" NOT NULL DEFAULT 'available',
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pet_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pet_count" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "status" "PetStatus" NOT NULL,
    "pets" BIGINT NOT NULL,

    CONSTRAINT "pet_count_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "api_key" (
    "id" SERIAL NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "scopes" "ApiKeyScope"[],
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expires_at" TIMESTAMPTZ(3),
    "last_used_at" TIMESTAMPTZ(3),
    "revoked_at" TIMESTAMPTZ(3),

    CONSTRAINT "api_key_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "idempotency_record" (
    "api_key_id" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "pet_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("api_key_id","key")
);

-- CreateIndex
CREATE INDEX "pet_status_id_idx" ON "pet"("status", "id");

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- AddForeignKey
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_pet_id_fkey" FOREIGN KEY ("pet_id") REFERENCES "pet"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- Each statement that changes pet appends one row per status to pet_count. Statements only insert there, so they never
-- wait for each other, and a row commits or rolls back with the change that it counts.
CREATE FUNCTION "count_pets"() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
    IF TG_OP = 'TRUNCATE' THEN
        TRUNCATE pet_count;
    END IF;
    IF TG_OP IN ('INSERT', 'UPDATE') THEN
        INSERT INTO pet_count (status, pets) SELECT status, count(*) FROM new_pets GROUP BY status;
    END IF;
    IF TG_OP IN ('UPDATE', 'DELETE') THEN
        INSERT INTO pet_count (status, pets) SELECT status, -count(*) FROM old_pets GROUP BY status;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER "count_inserted_pets" AFTER INSERT ON "pet"
    REFERENCING NEW TABLE AS new_pets FOR EACH STATEMENT EXECUTE FUNCTION "count_pets"();
CREATE TRIGGER "count_updated_pets" AFTER UPDATE ON "pet"
    REFERENCING OLD TABLE AS old_pets NEW TABLE AS new_pets FOR EACH STATEMENT EXECUTE FUNCTION "count_pets"();
CREATE TRIGGER "count_deleted_pets" AFTER DELETE ON "pet"
    REFERENCING OLD TABLE AS old_pets FOR EACH STATEMENT EXECUTE FUNCTION "count_pets"();
CREATE TRIGGER "count_truncated_pets" AFTER TRUNCATE ON "pet"
    FOR EACH STATEMENT EXECUTE FUNCTION "count_pets"();
