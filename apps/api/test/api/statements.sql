-- get
SELECT id, status, '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}' FROM pet WHERE id = ANY ($1);

-- create
WITH request AS MATERIALIZED (
    SELECT nextval('pet_id_seq') AS id, value.*
    FROM unnest($1::text[], $2::bigint[], $3::"PetStatus"[], $4::int[], $5::text[], $6::text[])
      WITH ORDINALITY AS value(name, category_id, status, api_key_id, key, fingerprint, position)
  ), claimed AS (
    INSERT INTO idempotency_record (api_key_id, key, fingerprint, pet_id)
    SELECT api_key_id, key, decode(fingerprint, 'hex'), id
    FROM request WHERE key IS NOT NULL ORDER BY api_key_id, key
    ON CONFLICT DO NOTHING RETURNING pet_id
  ), created AS (
    INSERT INTO pet (id, name, category_id, status)
    SELECT id, name, category_id, status
    FROM request WHERE key IS NULL OR id IN (SELECT pet_id FROM claimed)
    RETURNING id, '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}' AS json
  )
  SELECT created.id, created.json FROM request LEFT JOIN created ON created.id = request.id ORDER BY request.position;

-- listAsc
SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id + 1 END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(bound, size, status, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}', ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE id >= request.bound
      ORDER BY id LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND id > page.last_id
    ORDER BY id LIMIT 1
  ) AS next ON true
  ORDER BY request.position;

-- listDesc
SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id - 1 END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(bound, size, status, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}', ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE id <= request.bound
      ORDER BY id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND id < page.last_id
    ORDER BY id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position;

-- listAscByStatus
SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id + 1 END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(bound, size, status, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}', ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE (status, id) >= (request.status, request.bound) AND status <= request.status
      ORDER BY status, id LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) > (request.status, page.last_id) AND status <= request.status
    ORDER BY status, id LIMIT 1
  ) AS next ON true
  ORDER BY request.position;

-- listDescByStatus
SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id - 1 END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(bound, size, status, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      '{"id":' || id || ',"name":' || to_json(name)::text || ',"categoryId":' || category_id || ',"status":"' || status || '"}', ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE (status, id) <= (request.status, request.bound) AND status >= request.status
      ORDER BY status DESC, id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) < (request.status, page.last_id) AND status >= request.status
    ORDER BY status DESC, id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position;
