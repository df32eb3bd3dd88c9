-- "Wi-Fi", "wi fi" and "wifi" are one word, and "checkin" is "check-in": the parser would take each for another one. Queries
-- are read alike (server/search/words.ts). Dashes and the space that does not break join as well as a hyphen.
create or replace function excerpt_lexemes(config regconfig, body text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector(config, regexp_replace(regexp_replace(translate(body, '/\._@<>&~', '         '),
    '\mwi[- \u00a0\u2010-\u2013]?fi\M', 'wifi', 'gi'), '\mcheckin(s?)\M', 'check in\1', 'gi'));

-- By configuration, each a constant: a distributed database takes no column for it in an update.
do $$
declare
  config text;
begin
  for config in select distinct search_config from excerpts loop
    execute format(
      'update excerpts set lexemes = excerpt_lexemes(%1$L::regconfig, text)
       where search_config = %1$L and (text ~* ''\mwi.fi\M'' or text ~* ''\mcheckins?\M'')', config);
  end loop;
end $$;
