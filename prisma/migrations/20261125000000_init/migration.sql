-- Finds any part of a text by an index. The owner of a database may create this extension.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

-- The form of a name that a search compares: lower case, without the marks of Latin, Greek and Cyrillic letters. Marks of other
-- scripts stay, because they make another letter: パ is not ハ. The same rules as foldName in packages/contracts.
-- The collation und-x-icu gives the same lower case in every database, whatever its locale.
CREATE FUNCTION "fold_name"("name" TEXT) RETURNS TEXT LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    replace(replace(replace(replace(
        translate(
            regexp_replace(lower(lower(normalize("name", NFKD) COLLATE "und-x-icu") COLLATE "default"), '[\u0300-\u036F]', '', 'g'),
            'øłđðıς’', 'olddiσ'''
        ),
        'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

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
    "search_name" TEXT GENERATED ALWAYS AS (fold_name("name")) STORED,

    CONSTRAINT "pet_pkey" PRIMARY KEY ("id"),
    CONSTRAINT "pet_name_length" CHECK (char_length("name") BETWEEN 1 AND 200)
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
    "pet_id" BIGINT NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "idempotency_record_pkey" PRIMARY KEY ("api_key_id","key")
);

-- CreateIndex
CREATE INDEX "pet_status_id_idx" ON "pet"("status", "id");

-- CreateIndex
CREATE INDEX "pet_category_id_status_id_idx" ON "pet"("category_id", "status", "id");

-- CreateIndex
CREATE INDEX "pet_search_name_idx" ON "pet" USING GIN ("search_name" gin_trgm_ops);

-- CreateIndex
CREATE UNIQUE INDEX "api_key_hash_key" ON "api_key"("hash");

-- CreateIndex
CREATE INDEX "idempotency_record_created_at_idx" ON "idempotency_record"("created_at");

-- AddForeignKey
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_api_key_id_fkey" FOREIGN KEY ("api_key_id") REFERENCES "api_key"("id") ON DELETE RESTRICT ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_record" ADD CONSTRAINT "idempotency_record_pet_id_fkey" FOREIGN KEY ("pet_id") REFERENCES "pet"("id") ON DELETE RESTRICT ON UPDATE CASCADE;
