-- Vectors are stored rounded to int8. `vector` keeps the whole numbers: as `halfvec` half the bytes, level on PostgreSQL and
-- 2.6 times slower on the embedded database.

-- As server/embed/calibrate.ts rounds a document.
create function int8_vector(raw vector) returns vector
language sql immutable strict parallel safe
return (
  select array_agg(round(coalesce(x * least(127 / nullif(largest, 0), 4000 / nullif(length, 0)), 0)) order by place)::real[]::vector
  from unnest(raw::real[]) with ordinality as component (x, place),
    (select max(abs(y))::float8 as largest, sqrt(sum(y::float8 * y)) as length from unnest(raw::real[]) as y) as size
);

-- Rounds every stored vector, without asking a provider, and gives the spaces new names and ids: a server of an earlier
-- version that still runs finds its model replaced and stores nothing more. Also run on what an earlier backup held.
create function round_stored_vectors() returns void
language plpgsql
as $$
begin
  insert into embedding_models (name, dimensions)
    select name || '/i8', dimensions from embedding_models where name not like '%/i8' order by id
    on conflict (name) do nothing;
  update excerpts e set embedding = int8_vector(e.embedding), embedding_model_id = rounded.id
    from embedding_models raw join embedding_models rounded on rounded.name = raw.name || '/i8'
    where e.embedding_model_id = raw.id;
  update installation i set embedding_model_id = rounded.id
    from embedding_models raw join embedding_models rounded on rounded.name = raw.name || '/i8'
    where i.embedding_model_id = raw.id;
end
$$;

select round_stored_vectors();
