/**
 * Made-up review sentences in German, French and Spanish: per topic a query and three sentences that answer it, for
 * measuring how far the English-first model carries. Format: `query | sentence | sentence | sentence`.
 */
const GERMAN = `
sauberes Zimmer | Das Zimmer war sehr sauber. | Alles blitzsauber, auch das Bad. | Unser Zimmer wurde jeden Tag gereinigt.
freundliches Personal | Das Personal war ausgesprochen freundlich. | Sehr nette und hilfsbereite Mitarbeiter. | Die Dame am Empfang war freundlich und geduldig.
gutes Frühstück | Das Frühstück war reichhaltig und lecker. | Frische Brötchen zum Frühstück, herrlich. | Frühstücksbuffet mit großer Auswahl.
ruhige Lage | Das Haus liegt sehr ruhig am Waldrand. | Nachts war es angenehm ruhig. | Ruhige Lage und trotzdem nah am Zentrum.
schnelles WLAN | Das WLAN war schnell und stabil. | Leider ging das WLAN kaum. | Internet im Zimmer funktionierte gut.
bequeme Betten | Die Betten waren sehr bequem. | Wir haben in dem weichen Bett wunderbar geschlafen. | Die Matratze war leider zu hart.
kostenlose Parkplätze | Es gibt kostenlose Parkplätze vor dem Haus. | Parken konnten wir direkt am Hotel. | Der Parkplatz war klein und immer voll.
schöner Ausblick | Vom Balkon hatten wir einen schönen Ausblick auf den See. | Die Aussicht auf die Berge ist traumhaft. | Der Blick aus dem Fenster ging auf eine Mauer.
vegetarische Gerichte | Auf der Karte stehen viele vegetarische Gerichte. | Auch Vegetarier werden hier satt. | Die vegane Lasagne war ein Gedicht.
langsame Bedienung | Die Bedienung war sehr langsam. | Wir haben eine Stunde auf das Essen gewartet. | Der Kellner hat uns lange ignoriert.
überteuert | Für diese Qualität viel zu teuer. | Die Preise sind völlig überteuert. | Das Menü ist seinen hohen Preis nicht wert.
kinderfreundlich | Ein sehr kinderfreundliches Hotel. | Unsere Kinder liebten den Spielplatz. | Für die Kleinen gab es einen Hochstuhl.
Hunde erlaubt | Hunde sind hier erlaubt und willkommen. | Unser Hund bekam sogar einen Napf. | Mit dem Hund durften wir leider nicht ins Restaurant.
großes Schwimmbad | Das Schwimmbad ist groß und warm. | Der Pool war eiskalt. | Wir waren jeden Tag im Hallenbad schwimmen.
leckeres Steak | Das Steak war auf den Punkt gebraten. | Leckeres, zartes Fleisch. | Mein Steak war leider zäh.
guter Kaffee | Der Kaffee ist hervorragend. | Endlich ein guter Espresso. | Kaffee aus dem Automaten, kaum trinkbar.
laute Musik | Die Musik war viel zu laut. | Bis spät in die Nacht laute Musik aus der Bar. | Man konnte sich wegen der Lautstärke kaum unterhalten.
romantisches Abendessen | Perfekt für ein romantisches Abendessen zu zweit. | Kerzenlicht und leise Musik, sehr romantisch. | Wir haben hier unseren Hochzeitstag gefeiert.
zentrale Lage | Die Lage mitten im Zentrum ist ideal. | Zentral gelegen, zum Bahnhof fünf Minuten. | Leider weit weg von der Altstadt.
gemütliche Atmosphäre | Gemütliche Atmosphäre mit viel Holz. | Ein gemütliches kleines Lokal. | Das Ambiente ist kühl und ungemütlich.
große Portionen | Die Portionen sind riesig. | Große Portionen zum fairen Preis. | Die Portion war winzig, wir gingen hungrig.
defekte Klimaanlage | Die Klimaanlage war defekt. | Im Zimmer war es heiß, die Klimaanlage lief nicht. | Die Heizung ließ sich nicht abstellen.
schneller Versand | Der Versand ging sehr schnell. | Die Lieferung kam schon am nächsten Tag. | Das Paket kam zwei Wochen zu spät.
schlechter Kundendienst | Der Kundendienst hat nie geantwortet. | Schlechter Service, niemand ging ans Telefon. | Der Kundenservice war bemüht und freundlich.`
const FRENCH = `
chambre propre | La chambre était très propre. | Tout était impeccable, même la salle de bain. | Notre chambre était nettoyée chaque jour.
personnel sympathique | Le personnel est vraiment sympathique. | Une équipe accueillante et serviable. | La dame de la réception était aimable et patiente.
bon petit déjeuner | Le petit déjeuner était copieux et délicieux. | Du pain frais au petit déjeuner, un régal. | Buffet du petit déjeuner très varié.
quartier calme | L'hôtel se trouve dans un quartier calme. | La nuit, tout était calme. | Rue calme et pourtant proche du centre.
wifi rapide | Le wifi était rapide et stable. | Malheureusement le wifi ne marchait presque pas. | La connexion internet fonctionnait bien dans la chambre.
lits confortables | Les lits étaient très confortables. | Nous avons très bien dormi dans ce lit moelleux. | Le matelas était trop dur.
parking gratuit | Il y a un parking gratuit devant la maison. | Nous avons pu nous garer juste à côté. | Le parking était petit et toujours complet.
belle vue | Du balcon nous avions une belle vue sur le lac. | La vue sur les montagnes est magnifique. | La fenêtre donnait sur un mur.
plats végétariens | La carte propose beaucoup de plats végétariens. | Même les végétariens trouvent leur bonheur. | Les lasagnes véganes étaient délicieuses.
service lent | Le service était très lent. | Nous avons attendu une heure notre repas. | Le serveur nous a longtemps ignorés.
trop cher | Beaucoup trop cher pour cette qualité. | Les prix sont exagérés. | Le menu ne vaut pas son prix élevé.
adapté aux enfants | Un hôtel très adapté aux enfants. | Nos enfants ont adoré l'aire de jeux. | Une chaise haute était prévue pour les petits.
chiens acceptés | Les chiens sont acceptés et bienvenus. | Notre chien a même reçu une gamelle. | Le chien n'était pas admis au restaurant.
grande piscine | La piscine est grande et chauffée. | L'eau de la piscine était glacée. | Nous avons nagé tous les jours.
steak délicieux | Le steak était cuit à la perfection. | Une viande tendre et savoureuse. | Mon steak était malheureusement trop dur.
bon café | Le café est excellent. | Enfin un bon espresso. | Un café de machine, presque imbuvable.
musique trop forte | La musique était beaucoup trop forte. | De la musique du bar jusque tard dans la nuit. | Impossible de se parler à cause du bruit.
dîner romantique | Parfait pour un dîner romantique à deux. | Bougies et musique douce, très romantique. | Nous y avons fêté notre anniversaire de mariage.
emplacement central | L'emplacement en plein centre est idéal. | Très central, à cinq minutes de la gare. | Malheureusement loin de la vieille ville.
ambiance chaleureuse | Une ambiance chaleureuse et conviviale. | Un petit restaurant chaleureux. | Le décor est froid et sans charme.
portions généreuses | Les portions sont énormes. | Des portions généreuses à prix correct. | La portion était minuscule, nous avions encore faim.
climatisation en panne | La climatisation était en panne. | Il faisait très chaud, la climatisation ne marchait pas. | Impossible d'éteindre le chauffage.
livraison rapide | La livraison a été très rapide. | Le colis est arrivé dès le lendemain. | Le paquet est arrivé deux semaines en retard.
mauvais service client | Le service client n'a jamais répondu. | Mauvais service, personne au téléphone. | Le service client a été aimable et efficace.`
const SPANISH = `
habitación limpia | La habitación estaba muy limpia. | Todo impecable, también el baño. | Limpiaban nuestra habitación todos los días.
personal amable | El personal es realmente amable. | Un equipo simpático y servicial. | La señora de recepción fue amable y paciente.
buen desayuno | El desayuno era abundante y delicioso. | Pan recién hecho en el desayuno, una maravilla. | Desayuno bufé con mucha variedad.
zona tranquila | El hotel está en una zona muy tranquila. | Por la noche todo estaba tranquilo. | Calle tranquila y cerca del centro.
wifi rápido | El wifi era rápido y estable. | Por desgracia el wifi casi no funcionaba. | La conexión a internet iba bien en la habitación.
camas cómodas | Las camas eran muy cómodas. | Dormimos de maravilla en esa cama tan blanda. | El colchón era demasiado duro.
aparcamiento gratuito | Hay aparcamiento gratuito delante de la casa. | Pudimos aparcar justo al lado del hotel. | El aparcamiento era pequeño y siempre estaba lleno.
vistas bonitas | Desde el balcón teníamos unas vistas preciosas al lago. | La vista de las montañas es espectacular. | La ventana daba a una pared.
platos vegetarianos | La carta tiene muchos platos vegetarianos. | Los vegetarianos también comen bien aquí. | La lasaña vegana estaba riquísima.
servicio lento | El servicio fue muy lento. | Esperamos una hora la comida. | El camarero nos ignoró mucho tiempo.
demasiado caro | Demasiado caro para esa calidad. | Los precios son exagerados. | El menú no vale lo que cuesta.
ideal para niños | Un hotel ideal para ir con niños. | A nuestros hijos les encantó el parque infantil. | Había una trona para los pequeños.
admiten perros | Admiten perros y son bienvenidos. | A nuestro perro le dieron un cuenco de agua. | Con el perro no pudimos entrar al restaurante.
piscina grande | La piscina es grande y climatizada. | El agua de la piscina estaba helada. | Nadamos todos los días.
filete delicioso | El filete estaba en su punto. | Carne tierna y sabrosa. | Mi filete estaba duro.
buen café | El café es excelente. | Por fin un buen espresso. | Café de máquina, casi imbebible.
música muy alta | La música estaba demasiado alta. | Música del bar hasta muy tarde. | No se podía hablar por el ruido.
cena romántica | Perfecto para una cena romántica para dos. | Velas y música suave, muy romántico. | Celebramos aquí nuestro aniversario de boda.
ubicación céntrica | La ubicación en pleno centro es ideal. | Muy céntrico, a cinco minutos de la estación. | Por desgracia lejos del casco antiguo.
ambiente acogedor | Un ambiente acogedor y familiar. | Un pequeño local muy acogedor. | El sitio es frío y sin encanto.
raciones grandes | Las raciones son enormes. | Raciones generosas a buen precio. | La ración era minúscula, nos quedamos con hambre.
aire acondicionado averiado | El aire acondicionado estaba averiado. | Hacía mucho calor, el aire acondicionado no funcionaba. | No había manera de apagar la calefacción.
envío rápido | El envío fue muy rápido. | El pedido llegó al día siguiente. | El paquete llegó dos semanas tarde.
mala atención al cliente | La atención al cliente nunca contestó. | Mal servicio, nadie cogía el teléfono. | La atención al cliente fue amable y eficaz.`

export interface LanguageSet {
  language: string
  documents: string[]
  queries: { text: string; relevant: Set<number> }[]
}

export const OTHER_LANGUAGES: LanguageSet[] = Object.entries({ German: GERMAN, French: FRENCH, Spanish: SPANISH }).map(
  ([language, lines]) => {
    const documents: string[] = []
    const queries = lines
      .trim()
      .split('\n')
      .map((line) => {
        const [text = '', ...sentences] = line.split(' | ')
        const first = documents.push(...sentences) - sentences.length
        return { text, relevant: new Set(sentences.map((_, i) => first + i)) }
      })
    return { language, documents, queries }
  },
)
