/** The command line and the environment name no API key. */
export class NoApiKey extends Error {
  override readonly name = 'NoApiKey';
  constructor() {
    super('no API key: give --key, or set MEDIA_ANALYSIS_API_KEY or ADMIN_API_KEY');
  }
}
