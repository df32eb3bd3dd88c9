-- Who may use the console. A link is for the operator (no project; it signs in once) or for the owner of one project (as
-- often as wanted, until it ends). What a browser holds is two secrets, both kept as hashes: the cookie, which scripts
-- cannot read, and a token, which only pages of this very origin can.
create table console_links (
  id uuid primary key default gen_random_uuid(),
  project_id uuid references projects (id) on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null,
  used_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index console_links_project on console_links (project_id);

create table console_sessions (
  id uuid primary key default gen_random_uuid(),
  link_id uuid not null references console_links (id) on delete cascade,
  cookie_hash bytea not null unique check (length(cookie_hash) = 32),
  page_hash bytea not null check (length(page_hash) = 32),
  created_at timestamptz(3) not null default now(),
  seen_at timestamptz(3) not null default now(),
  expires_at timestamptz(3) not null
);
create index console_sessions_link on console_sessions (link_id);

-- Grows with every change of a project's settings, so that two people who change one of them hear of each other.
alter table projects add column settings_revision integer not null default 0;
