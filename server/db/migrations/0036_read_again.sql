-- Reviews whose letters are in parts are indexed again: their language was not seen, nor their Korean and Japanese words.
insert into index_jobs (project_id, review_id, text_version)
select r.project_id, r.id, r.text_version from reviews r
where r.status = 'indexed' and octet_length(r.text) > char_length(r.text) and r.text is not nfc normalized
order by r.project_id, r.id
on conflict (project_id, review_id) do nothing;

-- And what servers of earlier versions wrote while 0022 and 0031 ran. By configuration, each a constant: a distributed database
-- takes no column for it in an update.
do $$
declare
  config text;
begin
  for config in select distinct search_config from excerpts loop
    execute format(
      'update excerpts set lexemes = excerpt_lexemes(%1$L::regconfig, text)
       where search_config = %1$L and (text ~* ''\mwi.fi\M'' or text ~* ''\mcheckins?\M'' or octet_length(text) > char_length(text)
         and text ~ ''[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]'')
         and lexemes <> excerpt_lexemes(%1$L::regconfig, text)', config);
  end loop;
end $$;
