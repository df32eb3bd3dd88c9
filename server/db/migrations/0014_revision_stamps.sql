-- A revision's number comes again when an earlier backup is restored under a running server. A stamp does not: what a
-- server keeps of an environment, in its cache and in its memory, is of a number and a stamp together.
alter table environments add column stamp uuid not null default gen_random_uuid();
-- Rows of earlier servers have none: an index at such a revision is loaded anew.
alter table search_changes add column stamp uuid;
