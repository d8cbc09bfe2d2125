import { type ListOrder, petStatuses } from '@petstore/contracts';

/**
 * Statements of one use. `many` answers any number of requests with one text, so that PostgreSQL prepares it once: what
 * differs comes in arrays. Who is alone would only pay for that: `one` takes the values as they are, in 7 µs less for a
 * page, 18 for an animal and 34 for a new one, of 90 to 270.
 */
export interface Statements {
  one: string;
  many: string;
}

/** How the JSON text of an animal begins; it has this nowhere else, as quotes in names are escaped. */
export const startOfPet = '{"id":';

/**
 * The text of a name inside a JSON string, but for control characters (see `escapeControls`): to_json finds out for each
 * name anew what it is given, 480 of the 3 080 µs that PostgreSQL needs for 32 pages.
 */
const nameText = String.raw`replace(replace(name, E'\\', E'\\\\'), '"', E'\\"')`;

/** The JSON text of an animal behind its first characters. Looking a status's text up takes longer than telling it. */
const restOfPet = `id || ',"name":"' || ${nameText} || '","categoryId":' || category_id || CASE status
  ${petStatuses.map((status) => `WHEN '${status}' THEN ',"status":"${status}"}'`).join(' ')} END`;

const petJson = `'${startOfPet}' || ${restOfPet}`;

/** Makes JSON of what the statements here write: names are all in it that can hold control characters. */
export function escapeControls(text: string): string {
  return text.replaceAll(/[^ -\uffff]/g, (control) => JSON.stringify(control).slice(1, -1));
}

/**
 * A page of a list as JSON text, with one animal more where there is one, for a first id, a size and, when filtered, a
 * status. A status is a range of the index, not an equality: told that it equals one, PostgreSQL walks the primary key
 * and throws away what has another, which may be nearly all there is.
 */
function pageSql(
  order: ListOrder,
  isFiltered: boolean,
  asked: { fromId: string; size: string; status: string },
): string {
  const { fromId, size, status } = asked;
  const [from, to, direction] = order === 'asc' ? ['>=', '<=', 'ASC'] : ['<=', '>=', 'DESC'];
  const [range, sort] = isFiltered
    ? [`(status, id) ${from} (${status}, ${fromId}) AND status ${to} ${status}`, `status ${direction}, id ${direction}`]
    : [`id ${from} ${fromId}`, `id ${direction}`];
  return `
    SELECT '${startOfPet}' || string_agg(found.rest, ',${startOfPet}') AS json, count(*) > ${size} AS "hasMore"
    FROM (SELECT ${restOfPet} AS rest FROM pet WHERE ${range} ORDER BY ${sort} LIMIT ${size} + 1) AS found`;
}

/** Values: a first id, a size and, when filtered, a status. */
function pagesSql(order: ListOrder, isFiltered: boolean): Statements {
  const [arrays, names] = isFiltered
    ? ['$1::bigint[], $2::int[], $3::"PetStatus"[]', 'from_id, size, status']
    : ['$1::bigint[], $2::int[]', 'from_id, size'];
  const ofAsked = { fromId: 'asked.from_id', size: 'asked.size', status: 'asked.status' };
  return {
    one: pageSql(order, isFiltered, { fromId: '$1::bigint', size: '$2::int', status: '$3::"PetStatus"' }),
    many: `
      SELECT page.* FROM unnest(${arrays}) WITH ORDINALITY AS asked(${names}, place)
      CROSS JOIN LATERAL (${pageSql(order, isFiltered, ofAsked)}) AS page
      ORDER BY asked.place`,
  };
}

export const pageStatements = {
  asc: { all: pagesSql('asc', false), filtered: pagesSql('asc', true) },
  desc: { all: pagesSql('desc', false), filtered: pagesSql('desc', true) },
};

/** Animals as JSON text. Values: an id, and the status that it has to have, or none. */
export const findStatements: Statements = {
  one: `SELECT ${petJson} AS json FROM pet WHERE id = $1 AND ($2::"PetStatus" IS NULL OR status = $2)`,
  many: `
    SELECT ${petJson} AS json
    FROM unnest($1::bigint[], $2::"PetStatus"[]) WITH ORDINALITY AS asked(asked_id, asked_status, place)
    LEFT JOIN pet ON id = asked_id AND (asked_status IS NULL OR status = asked_status)
    ORDER BY place`,
};

/**
 * Adds animals, and counts them: past the triggers that count what everybody else inserts, which take PostgreSQL longer
 * than a second insert (migration pet_untriggered). The ids come in the order in which they were given out, which is
 * that of the arrays.
 */
export const addStatements: Statements = {
  one: `
    WITH added AS (
      INSERT INTO pet_untriggered (id, name, category_id, status)
      VALUES (nextval('pet_id_seq'), $1, $2, $3) RETURNING id, status
    ), counted AS (
      INSERT INTO pet_count_untriggered SELECT status, 1 FROM added
    )
    SELECT id FROM added`,
  many: `
    WITH added AS (
      INSERT INTO pet_untriggered (id, name, category_id, status)
      SELECT nextval('pet_id_seq'), name, category_id, status
      FROM (
        SELECT * FROM unnest($1::text[], $2::bigint[], $3::"PetStatus"[]) WITH ORDINALITY
          AS given(name, category_id, status, place)
        ORDER BY place
      ) AS asked
      RETURNING id, status
    ), counted AS (
      INSERT INTO pet_count_untriggered SELECT status, count(*) FROM added GROUP BY status
    )
    SELECT id FROM added`,
};

/**
 * Adds animals, each together with its idempotency record where it has one; an animal whose key is taken is left out.
 * The keys go in in one order whatever batch they are in, so that two processes wait for each other, never in a circle.
 */
export const addOnceStatement = `
  WITH asked AS MATERIALIZED (
    SELECT nextval('pet_id_seq') AS id, given.*
    FROM unnest($1::text[], $2::bigint[], $3::"PetStatus"[], $4::int[], $5::text[], $6::text[], $7::text[])
      WITH ORDINALITY AS given(name, category_id, status, api_key_id, key, fingerprint, created_at, place)
  ), claimed AS (
    INSERT INTO idempotency_record (api_key_id, key, fingerprint, pet_id, created_at)
    SELECT api_key_id, key, decode(fingerprint, 'hex'), id, created_at::timestamptz
    FROM asked WHERE key IS NOT NULL ORDER BY api_key_id, key
    ON CONFLICT DO NOTHING RETURNING pet_id
  ), added AS (
    INSERT INTO pet_untriggered (id, name, category_id, status)
    SELECT id, name, category_id, status
    FROM asked WHERE key IS NULL OR id IN (SELECT pet_id FROM claimed)
    RETURNING id, status
  ), counted AS (
    INSERT INTO pet_count_untriggered SELECT status, count(*) FROM added GROUP BY status
  )
  SELECT added.id FROM asked LEFT JOIN added ON added.id = asked.id ORDER BY asked.place`;

/** The sum of the rows that each change of animals leaves (migration pet_count), exact as of when it is asked. */
export const countStatement = 'SELECT status, sum(animals)::bigint FROM pet_count GROUP BY status';

/** Any number, the same in every process; it locks nothing but the compaction. */
export const compactLock = 7_373_002;

/** Adds these rows up where they are many and no other process is at it, at most so many at once that it takes 0.1 s. */
export const compactStatement = `
  WITH turn AS MATERIALIZED (
    SELECT pg_try_advisory_xact_lock(${compactLock}) AS mine WHERE EXISTS (SELECT FROM pet_count OFFSET 100)
  ), gone AS (
    DELETE FROM pet_count
    WHERE (SELECT mine FROM turn) AND ctid = ANY (ARRAY(SELECT ctid FROM pet_count LIMIT 50000))
    RETURNING status, animals
  )
  INSERT INTO pet_count_untriggered SELECT status, sum(animals) FROM gone GROUP BY status HAVING sum(animals) <> 0`;

/** In one statement, so that both are of one moment: what was wrong then is wrong by as much at any time. */
export const recountStatement = `
  WITH kept AS (SELECT status, sum(animals)::bigint AS animals FROM pet_count GROUP BY status),
  counted AS (SELECT status, count(*) AS animals FROM pet GROUP BY status),
  compared AS (
    SELECT status, coalesce(kept.animals, 0) AS kept, coalesce(counted.animals, 0) AS counted
    FROM kept FULL JOIN counted USING (status)
  ), corrected AS (
    INSERT INTO pet_count_untriggered SELECT status, counted - kept FROM compared WHERE counted <> kept
  )
  SELECT status::text, kept, counted FROM compared ORDER BY compared.status`;
