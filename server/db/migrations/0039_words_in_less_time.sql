-- The same words as before in four fifths of the time: `translate` took a third of it.
create or replace function excerpt_lexemes(config regconfig, body text) returns tsvector
  language sql immutable parallel safe
  return to_tsvector(config, regexp_replace(regexp_replace(regexp_replace(
      case when octet_length(body) = char_length(body) then body else regexp_replace(normalize(body), '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]+', ' ', 'g') end,
      '[/\\._@<>&~]', ' ', 'g'),
      '\mwi[- \u00a0\u2010-\u2013]?fi\M', 'wifi', 'gi'), '\mcheckin(s?)\M', 'check in\1', 'gi'))
    || case when octet_length(body) = char_length(body) or normalize(body) !~ '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]' then ''::tsvector
      else cut_unspaced(normalize(body)) end;
