import type { ListOrder } from '@petstore/contracts';
import { newPetColumnNames, newPetColumnTypes, petColumnNames, petJson } from './pet.columns.js';

/**
 * The statements of the pets repository. Each takes arrays with one element per request, so that one statement serves a
 * whole batch, and returns one row per request in the same order. PostgreSQL writes the JSON.
 */

/**
 * Returns the JSON array of a page, and the id of its last pet if more pets follow.
 * Values: the first ids that the pages may contain, the page sizes and, if filtered, the statuses.
 */
export function listSql(order: ListOrder, isFiltered: boolean): string {
  const [after, until, direction, last] = order === 'asc' ? ['>', '<=', 'ASC', 'max'] : ['<', '>=', 'DESC', 'min'];
  // One status is a range of the index (status, id). With `status =`, PostgreSQL may scan the primary key instead and
  // skip every pet that has another status.
  const range = (comparison: string, id: string) =>
    isFiltered
      ? `(status, id) ${comparison} (request.status, ${id}) AND status ${until} request.status`
      : `id ${comparison} ${id}`;
  // After an empty page, PostgreSQL 15 would scan the whole range: `last_id` is NULL then.
  const rangeAfterPage = `page.last_id IS NOT NULL AND ${range(after, 'page.last_id')}`;
  const sort = isFiltered ? `status ${direction}, id ${direction}` : `id ${direction}`;
  const [arrays, names] = isFiltered ? [', $3::"PetStatus"[]', ', status'] : ['', ''];
  return `
    SELECT page.json, CASE WHEN next.id IS NOT NULL THEN page.last_id END
    FROM unnest($1::bigint[], $2::int[]${arrays}) WITH ORDINALITY AS request(first_id, size${names}, position)
    CROSS JOIN LATERAL (
      SELECT '[' || string_agg(${petJson}, ',') || ']' AS json, ${last}(id) AS last_id
      FROM (
        SELECT ${petColumnNames} FROM pet WHERE ${range(`${after}=`, 'request.first_id')} ORDER BY ${sort} LIMIT request.size
      ) AS pet
    ) AS page
    LEFT JOIN LATERAL (
      SELECT id FROM pet WHERE ${rangeAfterPage} ORDER BY ${sort} LIMIT 1
    ) AS next ON true
    ORDER BY request.position`;
}

/** Returns the JSON of a pet, or NULL. Values: the ids, and the statuses that the pets must have, or NULL. */
export const getSql = `
  SELECT pet.json
  FROM unnest($1::bigint[], $2::"PetStatus"[]) WITH ORDINALITY AS request(pet_id, pet_status, position)
  LEFT JOIN LATERAL (
    SELECT ${petJson} AS json FROM pet
    WHERE id = request.pet_id AND (request.pet_status IS NULL OR status = request.pet_status)
  ) AS pet ON true
  ORDER BY request.position`;

const newPetTypes = newPetColumnTypes.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
const [apiKeyId, key, fingerprint, createdAt] = [1, 2, 3, 4].map((n) => `$${newPetColumnTypes.length + n}`);

/**
 * Creates pets, each with its idempotency record if it has one, and returns the id and the JSON of each pet. If an
 * idempotency key is taken, its pet is not created and both are NULL. Values: the columns of the new pets in the order of
 * `newPetColumns`, then the API key ids, idempotency keys, fingerprints in hex and times, or NULLs.
 *
 * Records are inserted in the order of their keys, so that two processes cannot deadlock.
 */
export const createSql = `
  WITH request AS MATERIALIZED (
    SELECT nextval('pet_id_seq') AS id, value.*
    FROM unnest(${newPetTypes}, ${apiKeyId}::int[], ${key}::text[], ${fingerprint}::text[], ${createdAt}::timestamptz[])
      WITH ORDINALITY AS value(${newPetColumnNames}, api_key_id, key, fingerprint, key_created_at, position)
  ), record AS (
    INSERT INTO idempotency_record (api_key_id, key, fingerprint, pet_id, created_at)
    SELECT api_key_id, key, decode(fingerprint, 'hex'), id, key_created_at
    FROM request WHERE key IS NOT NULL ORDER BY api_key_id, key
    ON CONFLICT DO NOTHING RETURNING pet_id
  ), pet AS (
    INSERT INTO pet (${petColumnNames})
    SELECT ${petColumnNames} FROM request WHERE key IS NULL OR id IN (SELECT pet_id FROM record)
    RETURNING id, ${petJson} AS json
  )
  SELECT pet.id, pet.json FROM request LEFT JOIN pet ON pet.id = request.id ORDER BY request.position`;

/** Returns the number of pets of each status that has any. */
export const countSql = 'SELECT status, sum(pets)::bigint FROM pet_count GROUP BY status';

/**
 * Merges the rows of `pet_count` if there are more than 100, at most 50,000 at a time (about 0.1 s). Concurrent merges
 * skip each other's rows.
 */
export const mergeCountsSql = `
  WITH merged AS (
    DELETE FROM pet_count
    WHERE (SELECT count(*) FROM pet_count) > 100
      AND id IN (SELECT id FROM pet_count LIMIT 50000 FOR UPDATE SKIP LOCKED)
    RETURNING status, pets
  )
  INSERT INTO pet_count (status, pets) SELECT status, sum(pets) FROM merged GROUP BY status HAVING sum(pets) <> 0`;

/** Compares and corrects in one statement, so that both counts come from the same snapshot. */
export const recountSql = `
  WITH kept AS (SELECT status, sum(pets)::bigint AS pets FROM pet_count GROUP BY status),
  actual AS (SELECT status, count(*) AS pets FROM pet GROUP BY status),
  compared AS (
    SELECT status, coalesce(kept.pets, 0) AS before, coalesce(actual.pets, 0) AS actual
    FROM kept FULL JOIN actual USING (status)
  ), corrected AS (
    INSERT INTO pet_count (status, pets) SELECT status, actual - before FROM compared WHERE actual <> before
  )
  SELECT status::text, before, actual FROM compared ORDER BY compared.status`;
