-- listAsc
  SELECT CASE WHEN next.id IS NOT NULL THEN page.last_id + 1 END, page.json
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(start_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      petJson, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE id >= request.start_id
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
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(start_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      petJson, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE id <= request.start_id
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
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(start_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT max(id) AS last_id, '[' || string_agg(
      petJson, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE (status, id) >= (request.status, request.start_id) AND status <= request.status
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
  FROM unnest($1::bigint[], $2::int[], $3::"PetStatus"[]) WITH ORDINALITY AS request(start_id, size, status, position)
  CROSS JOIN LATERAL (
    SELECT min(id) AS last_id, '[' || string_agg(
      petJson, ','
    ) || ']' AS json
    FROM (
      SELECT * FROM pet
      WHERE (status, id) <= (request.status, request.start_id) AND status >= request.status
      ORDER BY status DESC, id DESC LIMIT request.size
    ) AS pet
  ) AS page
  LEFT JOIN LATERAL (
    SELECT id FROM pet
    WHERE page.last_id IS NOT NULL AND (status, id) < (request.status, page.last_id) AND status >= request.status
    ORDER BY status DESC, id DESC LIMIT 1
  ) AS next ON true
  ORDER BY request.position;
