-- A claim is of one project: first which projects have due jobs, then the oldest or newest of one of them. What is set
-- aside is no part of it. The earlier index, of all projects together, served claims across them.
drop index index_jobs_due;
create index index_jobs_due on index_jobs (project_id, run_at) where set_aside_at is null;
