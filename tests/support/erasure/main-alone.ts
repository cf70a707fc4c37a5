/** A file of this name, in the folder for what threads hold, asks for the main thread alone. */
export const mainAlone = 'main-alone';
