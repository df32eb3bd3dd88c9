-- In the order in which they are listed: while statistics say that many wait, the few that do were looked for among all reviews.
create index reviews_waiting on reviews (project_id, env, occurred_at desc nulls last, id desc) where status = 'indexing';
drop index if exists reviews_indexing;
