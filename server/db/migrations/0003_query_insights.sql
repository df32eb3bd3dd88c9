-- What visitors searched, added up per day: no address, no time of day, no key.
create table query_insights (
  project_id uuid not null references projects (id) on delete cascade,
  env text not null check (env in ('live', 'test')),
  day date not null,
  -- Lower case, blanks collapsed.
  query text not null,
  searches integer not null,
  -- Of these: nothing passed and nothing was shown, or the newest reviews were shown instead.
  empty integer not null,
  fallbacks integer not null,
  primary key (project_id, env, day, query)
);
create index query_insights_by_day on query_insights (day);
