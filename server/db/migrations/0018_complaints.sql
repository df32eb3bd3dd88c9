-- What an excerpt itself says, whatever the stars of its review: a project may leave complaints out.
alter table projects add column excerpts text not null default 'all' check (excerpts in ('all', 'no_complaints'));
alter table excerpts add column verdict text check (verdict in ('positive', 'neutral', 'negative'));
-- Those that were indexed before; the server judges them in the background.
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null;
