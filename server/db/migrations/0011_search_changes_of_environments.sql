-- A row belongs to its environment, whose row every writer holds by then. As a reference to the project it was one more lock,
-- taken last, where deleting a project takes it first: 23 deadlocks in 25 seconds of pushing, hiding and deleting.
alter table search_changes
  drop constraint search_changes_project_id_fkey,
  add constraint search_changes_environment_fkey
    foreign key (project_id, env) references environments (project_id, env) on delete cascade;
