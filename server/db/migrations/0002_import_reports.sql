-- errors.csv of imports, behind the link that the result gives. Any server of the database answers it, for a week.
create table import_reports (
  project_id uuid not null references projects (id) on delete cascade,
  id uuid not null,
  env text not null,
  created_at timestamptz(3) not null default now(),
  -- Compressed with gzip.
  errors_csv bytea not null,
  primary key (project_id, id)
);
create index import_reports_by_age on import_reports (created_at);
