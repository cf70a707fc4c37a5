const set = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/).filter((word) => word !== ''));

/** An initial: an abbreviated name. */
export const initial = /^\p{Lu}(?:\.\p{Lu})*\.?$/u;

/** Titles before a name, which are not part of it. */
export const titles = set(`
  mr mrs ms miss mister dr doctor prof professor hon honourable honorable senator rev reverend sir dame lord lady
  madam madame monsieur mme mlle councillor congressman congresswoman judge justice captain
`);

/** Small words that may stand inside a name. */
export const particles = set(
  `van von der den de del della di da do dos la le du bin ibn al el ap ab ter ten zu zur st`,
);

/** Words for offices and departments, which may be between a cue and a name. */
export const offices = set(`
  president vice chief executive financial operating officer technology information marketing commercial medical
  scientific strategy legal accounting ceo cfo coo cto cio cmo evp svp vp chairman chairwoman chairperson chair founder
  cofounder co-founder director directors head manager managing general counsel secretary treasurer senior junior
  investor relations corporate communications finance development business operations global north south america europe
  partner analyst host moderator operator minister deputy prime member leader speaker colleague colleagues friend
  controller administrator interim acting group division segment and or of for the our my your a an in to at its their
  his her company's honourable honorable first second third next us with as board research
`);

/** First names that are also ordinary words: they count as names only with a capital. */
export const ambiguousNames = set(`
  art bill bob brook chase chip cliff dale dawn dean drew duncan faith frank gene glen grace grant guy hank heath hope
  jack jay jean jordan joy june lance lane lee mark max may miles nick noel norm pat peg penny ray reed rich rob robin
  rod rose ross roy rusty sandy skip sky summer taylor terry tiffany victor wade ward will
`);

/** Words that are never part of a name. */
export const ordinary = set(`
  i i'm i've i'll i'd me my we we're we've we'll you your you're you've he she it it's its they them their this that
  that's these those there there's here here's who who'll who's whom what what's where when which why how a an the and
  or but nor so if then than because as at by for from in into of on onto off out over to up with without within
  about after before again is are was were be been am do does did don't done has have had having can can't cannot could
  would should shall may might must won't not no yes yeah yep yup okay ok well right sure great good fine perfect
  excellent wonderful absolutely definitely certainly exactly correct thank thanks thankyou please sorry pardon excuse
  hello hi hey morning afternoon evening night day today tonight tomorrow yesterday bye goodbye welcome congrats
  congratulations ladies gentlemen everyone everybody folks guys all anyone someone somebody nobody people team sir
  madam maam ma'am mr mrs ms miss dr operator moderator chair chairman chairwoman speaker speakers minister minister's
  prime president vice chief executive financial officer director manager secretary treasurer deputy analyst host
  question questions answer answers line call conference quarter year years month week next first second third last
  final one two three four five six seven eight nine ten let let's go going gonna got get gotcha now just also only even
  still more most much many some any each every other another same such very really actually maybe perhaps obviously
  look listen see say said tell ask think know want like need take give make come coming back open ahead begin proceed
  um uh er ah oh mm mhm hmm mhmm uhhuh inaudible crosstalk unintelligible laughter silence noise unknown unidentified
  monday tuesday wednesday thursday friday saturday sunday january february march july august september october november
  december company corporation corp inc ltd llc plc bank capital markets securities partners research group holdings
  university committee house commons parliament government party order hear point honourable hon member members
  agent customer caller account number email username address phone order id card name names speaking calling
  happy glad pleased delighted afraid wondering curious trying looking talking joined joining representing press star
  slide page turning moving starting regarding based given overall additionally finally however therefore again
  english french american canadian british europe america north south east west investor relations earnings
  wow interesting understood understand im ive ill id were youre youve theyre theyve theyll thats theres heres wheres whats whos its weve well
  dont doesnt didnt cant couldnt wouldnt shouldnt isnt arent wasnt wont lets hes shes itll unk laugh laughs affirmative pii redacted xxx
  despite both me us him her yours mine ours his hers myself himself herself themselves until since during while though although
  never always often sometimes once twice too quite rather few less least own able between under above below against
`);

/** Words that turn the name before them into a company or institution. */
export const firmWords = set(`
  bank capital inc incorporated corp corporation company co ltd limited llc plc group holdings securities partners
  research markets energy university college school national federal international insurance airlines financial wireless
  mobile support center centre services service department hotel clinic hospital store stores systems technologies
  technology solutions industries associates advisors management investments asset brothers trust fund credit union
  street road avenue commission committee act bill program house
`);

/** Companies with names like people, which are often mentioned in calls. */
export const firms: ReadonlySet<string> = new Set(
  `wells fargo,morgan stanley,goldman sachs,raymond james,william blair,charles schwab,jp morgan,j.p. morgan,
  credit suisse,robert w baird,robert baird,edward jones,stifel nicolaus,piper sandler,piper jaffray,
  merrill lynch,ernst young,dow jones,john deere,mary kay,ralph lauren,calvin klein,levi strauss,michael kors,eli lilly,
  best buy,trader joe,jack daniels,oliver wyman,jones lang,keefe bruyette,sandler o'neill,janney montgomery,
  bear stearns,lehman brothers,smith barney,dean witter,aunt jemima,ben jerry`
    .split(',')
    .map((name) => name.trim()),
);

/** Words that may come before an address at the start of a turn. */
export const openers = set(`
  yeah yes yep no so well okay ok sure right great good fine perfect excellent wonderful absolutely thank thanks you very
  much so a lot many hi hey hello morning afternoon evening um uh oh ah and but again question for the that your it's
  lovely brilliant super kindly all now indeed certainly
`);
