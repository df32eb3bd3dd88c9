-- Short blame ("we didn't like it", "delivered late", and words of six languages) is blame: what is stored is judged again in
-- the background. Until then the earlier verdict holds.
drop index excerpts_unjudged;
create index excerpts_unjudged on excerpts (project_id, review_id) where verdict is null or verdict_model < 5;
