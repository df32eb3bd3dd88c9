-- Which reviews' excerpts each revision of an environment touched, so that an index in a server's memory follows by reading
-- these alone. Each revision leaves one row, an empty one when it touched none; a revision without a row (a wipe, another
-- model, a server of an earlier version, or one whose row is gone) says that the index must be loaded anew.
create table search_changes (
  project_id uuid not null references projects (id) on delete cascade,
  env text not null,
  revision bigint not null,
  review_ids uuid[] not null,
  primary key (project_id, env, revision)
);
