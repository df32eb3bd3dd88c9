-- Words typed without their accents find those written with them: beside its words with accents, an excerpt has them without. A
-- query's word with accents is looked up as it is typed, so that "año" does not find "ano".

-- "ё" is often typed without its dots; "й" is a letter of its own, and spends the step that takes marks off as one of no language.
create function without_accents(words text) returns text
  language sql immutable parallel safe
  return case when words ~ '[ıøØłŁđĐðÐħĦŧŦßæÆœŒþÞёЁйЙ]'
    then translate(regexp_replace(normalize(replace(replace(replace(replace(replace(replace(replace(
        translate(words, 'ıøØłŁđĐðÐħĦŧŦёЁйЙ', 'ioOlLdDdDhHtTеЕѵѵ'),
        'ß', 'ss'), 'æ', 'ae'), 'Æ', 'AE'), 'œ', 'oe'), 'Œ', 'OE'), 'þ', 'th'), 'Þ', 'TH'),
      NFD), '[\u0300-\u036f]+', '', 'g'), 'ѵ', 'й')
    else regexp_replace(normalize(words, NFD), '[\u0300-\u036f]+', '', 'g') end;

-- As German and the languages of the north are typed where a keyboard lacks these letters.
create function spelled_out(words text) returns text
  language sql immutable parallel safe
  return replace(replace(replace(replace(replace(lower(words), 'ä', 'ae'), 'ö', 'oe'), 'ü', 'ue'), 'ø', 'oe'), 'å', 'aa');

-- Lexemes of the stop words that the dictionaries do not know without their accents: "fur" would be in every German text.
create function unaccented_stop_words(config regconfig) returns text[]
  language sql immutable parallel safe
  return case config
    when 'danish'::regconfig then '{naar,nar,ogsa,ogsaa,pa,paa,saadan,sadan,vaer}'::text[]
    when 'finnish'::regconfig then '{eiva,et,han,hane,heida,heil,heis,heita,keil,keina,keis,keita,kene,keta,ketk,meida,meil,meis,meita,mika,mil,mina,
      mink,mis,mita,mitk,naide,naih,naiks,nail,naina,nais,naita,nama,niil,niina,niis,niita,seka,siina,siita,sil,sina,
      sita,taha,taks,tal,tama,tana,tas,tata,teida,teil,teis,teita,tuota}'::text[]
    when 'french'::regconfig then '{a,etaient,etais,etait,etant,ete,eti,etion,eum,eut,fum,fut,mem}'::text[]
    when 'german'::regconfig then '{dass,fuer,fur,koenn,koennt,konn,konnt,uber,ueb,waehrend,wahrend,wuerd,wurd}'::text[]
    when 'hungarian'::regconfig then '{altal,am,arrol,at,azer,azt,azut,bar,bel,egesz,egyeb,el,eleg,eloszor,elot,els,en,epp,es,ezer,fel,igy,is,jo,jol,
      keress,kereszt,kiv,koz,kozot,legalabb,mag,mar,mas,mier,mig,neh,nehany,nel,o,ok,ossz,ra,saj,szam,tal,teh,tobb,
      tovab,tovabb,ugy,uj,ujabb,ut,utan,utols,val}'::text[]
    when 'italian'::regconfig then '{avra,avro,far,perc,piu,sar,star}'::text[]
    when 'norwegian'::regconfig then '{a,aa,baad,baae,bad,bae,daa,foer,hja,hjaa,na,naa,naar,nar,ogs,ogsa,pa,paa,sa,saa,saann,sann,sjoel,sjol,vaar,vaer,
      vaert}'::text[]
    when 'portuguese'::regconfig then '{ate,eram,esta,estav,estiver,estivess,for,foss,ha,hao,houver,houvera,houveri,houvess,ja,nao,sao,ser,sera,seri,so,
      tamb,ter,tera,teri,tinh,tiver,tivess,voc}'::text[]
    when 'spanish'::regconfig then '{eram,estab,estais,estan,estar,estareis,estari,estariais,esteis,esten,estes,estuvier,estuvies,fuer,fues,habeis,
      habi,habiais,habr,habreis,habri,habriais,hayais,hubier,hubies,mas,mia,mias,mio,mios,seais,ser,sereis,seri,
      seriais,si,tambi,tendr,tendreis,tendri,tendriais,teneis,tengais,teni,teniais,tuvier,tuvies}'::text[]
    when 'swedish'::regconfig then '{aat,aen,aer,an,ar,at,da,daa,daer,dar,foer,for,fraan,fran,haer,naagon,naagot,naagr,naer,nagon,nagot,nagr,nar,oev,
      over,pa,paa,sa,saa,saadan,saadant,sadan,sadant,sjaelv,sjalv,vaar,vaart,varf,varfo}'::text[]
    when 'turkish'::regconfig then '{asl,bazi,birkaç,birsey,cok,cunku,eger,hic,iç,mi,nasil,niç,sey,su,tum}'::text[]
    end;

-- Of a composed text whose words have spaces or signs between them. Points for the vowels of Hebrew and Arabic are rarely typed, and
-- the stemmer of Romanian has a cedilla where most write a comma. Strict, so that it stays a function of its own, for which the text
-- is composed once.
create function lexemes_beyond_ascii(config regconfig, body text) returns tsvector
  language sql immutable strict parallel safe
  return to_tsvector(config, regexp_replace(regexp_replace(body,
      '\mwi[- \u00a0\u2010-\u2013]?fi\M', 'wifi', 'gi'), '\mcheckin(s?)\M', 'check in\1', 'gi'))
    || case when body !~ '[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce\u0401\u0451\u1e00-\u1fff\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]' then ''::tsvector
      else ts_delete(
        strip(to_tsvector(config, regexp_replace(without_accents(body), '[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]+', '', 'g')))
          || case when body ~ '[äöüøåÄÖÜØÅ]' and (config = 'danish'::regconfig or config = 'english'::regconfig
              or config = 'german'::regconfig or config = 'norwegian'::regconfig or config = 'swedish'::regconfig)
            then strip(to_tsvector(config, without_accents(spelled_out(body)))) else ''::tsvector end
          || case when body ~ '[șȘțȚ]' then strip(to_tsvector(config, translate(body, 'șȘțȚ', 'şŞţŢ'))) else ''::tsvector end,
        coalesce(unaccented_stop_words(config), '{}')) end;

-- To compose a letter with thousands of marks takes the square of their number.
create function composed(body text) returns text
  language sql immutable parallel safe
  return normalize(case when body ~ '[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a\u0816-\u082d\u08ca-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0bcd\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f71-\u0f87\u1037-\u103a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]{32}'
    then regexp_replace(body, '([\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a\u0816-\u082d\u08ca-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0bcd\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f71-\u0f87\u1037-\u103a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]{32})[\u0300-\u036f\u0483-\u0487\u0591-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0730-\u074a\u0816-\u082d\u08ca-\u08ff\u093c\u094d\u0951-\u0954\u09bc\u09cd\u0bcd\u0e38-\u0e3a\u0e48-\u0e4b\u0eb8-\u0eba\u0ec8-\u0ecb\u0f71-\u0f87\u1037-\u103a\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]+', '\1', 'g') else body end);

-- A text of ASCII letters, as most are, is not looked through for others.
create or replace function excerpt_lexemes(config regconfig, body text) returns tsvector
  language sql immutable parallel safe
  return case when octet_length(body) = char_length(body)
    then to_tsvector(config, regexp_replace(regexp_replace(regexp_replace(body, '[/\\._@<>&~]', ' ', 'g'),
      '\mwi[- ]?fi\M', 'wifi', 'gi'), '\mcheckin(s?)\M', 'check in\1', 'gi'))
    else lexemes_beyond_ascii(config, regexp_replace(composed(body), '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]+|[/\\._@<>&~]', ' ', 'g'))
      || case when body ~ '[\u1100-\u11ff\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]' then cut_unspaced(composed(body)) else ''::tsvector end
    end;

-- Of a word of a query; empty for a stop word. In English "café" and "cafe" are one word, but "thé" is not the stop word "the".
create function query_lexeme(config regconfig, word text) returns text
  language sql immutable parallel safe
  return case when word ~ '[\u3005-\u3007\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff66-\uff9f\u0e01-\u0e4e\u0e81-\u0ece\u1000-\u103f\u1780-\u17d3]' then (tsvector_to_array(cut_unspaced(word)))[1] else coalesce(
    case when config = 'english'::regconfig and word ~ '[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u0386-\u0390\u03aa-\u03b0\u03ca-\u03ce\u0401\u0451\u1e00-\u1fff]'
      then (tsvector_to_array(to_tsvector(config, without_accents(word))))[1] end,
    (tsvector_to_array(to_tsvector(config, translate(word, 'șț', 'şţ'))))[1],
    '') end;
