create extension if not exists vector;

-- One row: what belongs to this installation rather than to a project.
create table installation (
  only_row boolean primary key default true check (only_row),
  -- Signs list cursors, so that every server on this database accepts them.
  cursor_secret bytea not null default decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'),
  -- The vector space that searches use now; reviews indexed under another are indexed again.
  embedding_model_id integer,
  created_at timestamptz not null default now()
);
insert into installation default values;

create table embedding_models (
  id integer generated always as identity primary key,
  name text not null unique,
  dimensions integer not null check (dimensions > 0),
  created_at timestamptz not null default now()
);
alter table installation add foreign key (embedding_model_id) references embedding_models (id);

create table projects (
  id uuid primary key default gen_random_uuid(),
  name text not null unique check (name <> ''),
  plan text not null default 'free' check (plan in ('free', 'paid')),
  similarity_floor double precision not null default 0.66 check (similarity_floor between 0 and 1),
  min_rating smallint not null default 4 check (min_rating between 1 and 5),
  allowed_origins text[] not null default '{}',
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table environments (
  project_id uuid not null references projects (id) on delete cascade,
  env text not null check (env in ('live', 'test')),
  -- Part of every cache key: a write that changes what a query may return adds one.
  revision bigint not null default 0,
  -- Kept exact by the transactions that add and remove reviews, so that the cap needs no count(*).
  review_count integer not null default 0 check (review_count >= 0),
  primary key (project_id, env)
);

create table api_keys (
  id uuid primary key default gen_random_uuid(),
  project_id uuid not null references projects (id) on delete cascade,
  env text not null check (env in ('live', 'test')),
  kind text not null check (kind in ('secret', 'publishable')),
  key_hash bytea not null unique check (length(key_hash) = 32),
  -- The last four characters, so that a person can tell keys apart.
  hint text not null,
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index api_keys_project on api_keys (project_id);

-- Unlogged: losing the counts of one minute in a crash is harmless, and a request then waits for no disk.
create unlogged table rate_windows (
  key_id uuid primary key references api_keys (id) on delete cascade,
  started_at timestamptz not null,
  requests integer not null
) with (fillfactor = 50);

create table reviews (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null default gen_random_uuid(),
  env text not null check (env in ('live', 'test')),
  source text not null check (source in ('google', 'yelp', 'facebook', 'trustpilot', 'custom')),
  external_id text not null,
  rating smallint check (rating between 1 and 5),
  text text not null,
  -- Grows when the text changes or the stars go away: an index result for an older version is thrown away.
  text_version integer not null default 1,
  author_name text,
  author_avatar_url text,
  occurred_at timestamptz(3),
  url text,
  language text,
  metadata jsonb not null default '{}',
  sentiment text check (sentiment in ('positive', 'neutral', 'negative')),
  sentiment_source text check (sentiment_source in ('rating', 'model')),
  hidden_at timestamptz(3),
  status text not null default 'indexing' check (status in ('indexing', 'indexed')),
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now(),
  primary key (project_id, id),
  unique (project_id, env, source, external_id),
  check ((sentiment is null) = (sentiment_source is null))
);
create index reviews_newest on reviews (project_id, env, occurred_at desc nulls last, id desc);
create index reviews_indexing on reviews (project_id, env) where status = 'indexing';

-- The queue: a row for each review that waits for the pipeline.
create table index_jobs (
  project_id uuid not null,
  review_id uuid not null,
  text_version integer not null,
  attempts integer not null default 0,
  run_at timestamptz not null default now(),
  lease_token uuid,
  leased_until timestamptz,
  last_error text,
  created_at timestamptz not null default now(),
  primary key (project_id, review_id),
  foreign key (project_id, review_id) references reviews (project_id, id) on delete cascade
) with (fillfactor = 70);
create index index_jobs_due on index_jobs (run_at);

-- Words of an excerpt, stemmed. PostgreSQL's parser takes "clean.Friendly" for a host, "breakfast/dinner" for a file and
-- "<3 you>" for a tag, and then none of their words is found, so the signs that mislead it become spaces.
create function excerpt_lexemes(config regconfig, body text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector(config, translate(body, '/\._@<>&~', '         '));

-- A review has excerpts when it is queryable, and none while its text waits for the pipeline.
create table excerpts (
  project_id uuid not null,
  review_id uuid not null,
  ordinal integer not null,
  -- Derived from the review, the offsets and the text: the same slice keeps its id when it is indexed again.
  id uuid not null,
  env text not null,
  -- UTF-16 code units into reviews.text, end exclusive.
  start_offset integer not null,
  end_offset integer not null,
  text text not null,
  -- Name of the text-search configuration that made the lexemes.
  search_config text not null,
  lexemes tsvector not null,
  embedding_model_id integer not null references embedding_models (id),
  embedding vector not null,
  -- Copies of the review's columns that decide what may appear, so that a search reads one table.
  rating smallint,
  sentiment text,
  hidden boolean not null,
  source text not null,
  occurred_at timestamptz(3),
  primary key (project_id, review_id, ordinal),
  foreign key (project_id, review_id) references reviews (project_id, id) on delete cascade
);
-- Finds a small project's rows beside a large one's; with search_config a search also sees, from the index alone, which
-- configurations to stem the query for. There is no index on lexemes: a word match counts only with its vector near the
-- query's, so every search reads each vector of the project anyway, and looks at the words of the near ones only.
create index excerpts_environment on excerpts (project_id, env, embedding_model_id, search_config);
create index excerpts_newest on excerpts (project_id, env, occurred_at desc nulls last, review_id desc)
  where ordinal = 0 and not hidden;

-- No plan depends on what stands in these, and analysing a thousand numbers a row takes seconds.
alter table excerpts alter column embedding set statistics 0, alter column lexemes set statistics 0,
  alter column text set statistics 0;
alter table reviews alter column text set statistics 0, alter column metadata set statistics 0;

-- Uncached queries of a calendar month (UTC).
create table query_usage (
  project_id uuid not null references projects (id) on delete cascade,
  month date not null,
  uncached bigint not null,
  primary key (project_id, month)
);

-- Texts embedded for reviews on a day (UTC), for the operator's daily allowance.
create table embedding_usage (
  day date primary key,
  texts bigint not null
);
