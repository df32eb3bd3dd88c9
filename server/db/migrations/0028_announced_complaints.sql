-- An excerpt that announces a complaint in so many words is one, whatever stands around it: what is stored is judged again in
-- the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 3;
