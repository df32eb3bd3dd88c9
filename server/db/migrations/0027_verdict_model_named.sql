-- A server of an earlier version inserts excerpts without naming the model of their verdicts: that is the first one. A
-- server that judges by a later model names it (server/sql/excerpts/excerpt-verdicts.ts).
alter table excerpts alter column verdict_model set default 1;
