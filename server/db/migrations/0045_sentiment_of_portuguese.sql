-- What Brazilian and Portuguese reviews blame ("uma pena", "não funciona", "mal educado") is blame, and what they praise ("pratos
-- bem servidos", "imperdível") praise: what is stored is judged again in the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 7;
