-- Words of scripts without spaces: overlapping pieces of two ideographs or syllables, of three letters of Thai, Lao, Burmese
-- and Khmer, and each ideograph, as server/unspaced-scripts.ts cuts queries. The parser would take a whole sentence for one word.
-- They pass it by, since it breaks words at marks above letters, and differently by the database's locale. A text of
-- ASCII letters, as most are, is not looked through for them.
create function cut_unspaced(body text) returns tsvector
  language sql immutable parallel safe
  return array_to_tsvector(array(
    select substr(run[1], at, 2)
    from regexp_matches(body, '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f]+', 'g') as run, generate_series(1, greatest(1, length(run[1]) - 1)) as at
    union
    select one[1] from regexp_matches(body, '[\u3400-\u4dbf\u4e00-\u9fff]', 'g') as one
    union
    select substr(run[1], at, 3)
    from regexp_matches(body, '[\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]+', 'g') as run, generate_series(1, greatest(1, length(run[1]) - 2)) as at));

-- Without a statement of its own within it, this one becomes part of those that call it.
create or replace function excerpt_lexemes(config regconfig, body text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector(config, regexp_replace(regexp_replace(translate(
      case when octet_length(body) = char_length(body) then body else regexp_replace(body, '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]+', ' ', 'g') end,
      '/\._@<>&~', '         '),
      '\mwi[- \u00a0\u2010-\u2013]?fi\M', 'wifi', 'gi'), '\mcheckin(s?)\M', 'check in\1', 'gi'))
    || case when octet_length(body) = char_length(body) or body !~ '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]' then ''::tsvector
      else cut_unspaced(body) end;

-- By configuration, each a constant: a distributed database takes no column for it in an update.
do $$
declare
  config text;
begin
  for config in select distinct search_config from excerpts loop
    execute format(
      'update excerpts set lexemes = excerpt_lexemes(%1$L::regconfig, text)
       where search_config = %1$L and text ~ ''[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]''', config);
  end loop;
end $$;
