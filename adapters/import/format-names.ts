/*
 * Names alone: the service refuses others before it starts a process that reads documents, and starts faster without the
 * readers.
 */

/** The formats of JSON that are read as a whole, most telling first. */
export const jsonFormatNames = [
  'pyannote_json',
  'amazon_transcribe',
  'amazon_call_analytics',
  'amazon_data_automation',
  'amazon_rekognition_faces',
  'amazon_rekognition_search',
  'azure_video_indexer',
  'google_video_faces',
  'deepgram',
  'rev',
  'assemblyai',
  'speechmatics',
  'google_speech',
  'bbc_kaldi',
  'whisperx',
] as const;
export type JsonFormatName = (typeof jsonFormatNames)[number];

/** The formats that are read line by line. */
export const lineFormats = ['rttm', 'ava_csv', 'asw_json', 'webvtt', 'zoom_vtt', 'srt'] as const;
export type LineFormat = (typeof lineFormats)[number];

/** The formats that can be imported. */
export type ImportFormat = LineFormat | JsonFormatName;
export const importFormats: ReadonlyArray<ImportFormat> = [...lineFormats, ...jsonFormatNames];
