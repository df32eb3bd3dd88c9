-- Sentences that somebody hid, by their words: an excerpt that holds them is withheld, however the text is cut next time.
create table hidden_excerpts (
  project_id uuid not null,
  review_id uuid not null,
  words_hash bytea not null check (length(words_hash) = 32),
  env text not null check (env in ('live', 'test')),
  words text not null,
  hidden_at timestamptz(3) not null default now(),
  primary key (project_id, review_id, words_hash),
  foreign key (project_id, review_id) references reviews (project_id, id) on delete cascade
);

alter table excerpts add column withheld boolean not null default false;
