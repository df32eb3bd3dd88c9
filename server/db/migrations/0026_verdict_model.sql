-- Which sentiment model an excerpt's verdict is of. What is stored was judged by the first; a server judges it again in the
-- background, and until then the earlier verdict holds. A migration of the next model raises the default.
alter table excerpts add column verdict_model smallint not null default 1;
alter table excerpts alter column verdict_model set default 2;
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 2;
