-- Vectors of an excerpt's sentences, beside its own, in the same row: a search reads one table, a review is saved and
-- deleted with as many rows as before. Null when the excerpt is one sentence.
alter table excerpts
  add column sentences vector[],
  -- Where each begins in the excerpt's text, in UTF-16 units.
  add column sentence_starts integer[];

-- A row stays in one piece up to a page; out of line, each would be fetched for every search.
alter table excerpts alter column sentences set storage external;
-- An operator may have partitioned the table (docs/scaling.md): then its partitions have the rows.
do $$
declare
  part regclass;
begin
  for part in
    select oid from pg_class where oid = 'excerpts'::regclass and relkind = 'r'
    union all select inhrelid from pg_inherits where inhparent = 'excerpts'::regclass
  loop
    execute format('alter table %s set (toast_tuple_target = 8160)', part);
    execute format('alter table %s alter column sentences set statistics 0', part);
  end loop;
end $$;

-- Indexes again what may have several sentences and has no vectors of them. Until its turn a review is found by what it
-- has. Also run on what an earlier backup held.
create function queue_for_sentences() returns void
language plpgsql
as $$
begin
  insert into index_jobs (project_id, review_id, text_version)
  select r.project_id, r.id, r.text_version from reviews r
  where exists (
    select from excerpts e where e.project_id = r.project_id and e.review_id = r.id and char_length(e.text) > 45
  )
  order by r.project_id, r.id
  on conflict (project_id, review_id) do nothing;
end
$$;

select queue_for_sentences();
