/** The hundred most common surnames of the 1990 US census, which speech recognisers spell correctly. */
export const commonSurnames: ReadonlySet<string> = new Set(
  `
  smith johnson williams jones brown davis miller wilson moore taylor anderson thomas jackson white harris
  martin thompson garcia martinez robinson clark rodriguez lewis lee walker hall allen young hernandez king
  wright lopez hill scott green adams baker gonzalez nelson carter mitchell perez roberts turner phillips
  campbell parker evans edwards collins stewart sanchez morris rogers reed cook morgan bell murphy bailey rivera
  cooper richardson cox howard ward torres peterson gray ramirez james watson brooks kelly sanders price bennett
  wood barnes ross henderson coleman jenkins perry powell long patterson hughes flores washington butler simmons
  foster gonzales bryant alexander russell griffin diaz hayes
`
    .trim()
    .split(/\s+/u),
);
