-- How often a page sent the query after one that found nothing (its heading, and then its heading and description). Such a
-- pair is one search: it is counted with the first query, by what the second found.
alter table query_insights add column as_second integer not null default 0;
