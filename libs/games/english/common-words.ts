/** Common English words, and words of the games, that may look like a bent or shortened name: `every` is not said of Eve, `they` not of Thea. */
export const commonWords: ReadonlySet<string> = new Set(
  (
    'able about above accept accuse accused accuses act acted acts add after again against ago agree agreed agrees alike alive all allow almost alone ' +
    'already also although always among and another any anybody anyone anything appear are around art ask asked asks away back bad badge base based became ' +
    'because become been before began begin behind being believe believed believes below benefit best better between both but call came can candidate ' +
    'cannot card cards care careful case chance change choice choose chosen claim claimed claims clear clearly come could day days dead deal death decide ' +
    'decided did died does doing done doubt down each early else end enemy enough evade even evening event events ever every everybody everyone ' +
    'everything evidence evil exact fact fail failed fair far few find first for found from full game gave get give given gives goes going good got ' +
    'great group guard guess had half hand happen happened has have having hear heard help her here herself hers him himself his hold how however human ' +
    'idea imply innocent inside instead into its itself just keep kept kill killed killing knew know known knows largely last late later lead learn least ' +
    'leave left less let lie lied lies like likely line little live lives long look looked looking looks lost lot lots made main mainly make makes making ' +
    'many mark marked mate mates matter max maximum may maybe mean means might mind moment more most mostly move much must name named near need never ' +
    'new next night nights nobody none nor not note nothing now off often old once one only open option order other others our out over own part pass ' +
    'past per perhaps person piece place plan play played player players plays point power present prove push put quest quests question quiet quite rather read ' +
    'ready real really reason result right robber role roles round safe said same save say saying says see seem seemed seems seen seer self send serious ' +
    'servant set several shall she sheriff should show showed shown shows side silence silent since small some somebody someone something sometimes soon speak ' +
    'speaks speech spoke stand start state stay stays step still such sure suspect suspected suspicion suspicious take taken takes talk talked talking team ' +
    'tell tells than that the their them themselves then there therefore these they thing things think thinks this those though thought threat through time ' +
    'times today together told too took toward true trust trusted truth try trying turn turned turns two under until upon use used useful very view village ' +
    'villager villagers vote voted voter votes voting wait want wanted wants was way well went were werewolf werewolves what whatever when where whether ' +
    'which while who whoever whole whom whose why wide will willing win wins wise wish witch with within without wolf wolves won word words work worth would ' +
    'wrong yes yet you your yours'
  ).split(' '),
);
