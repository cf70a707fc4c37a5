/*
 * Only the names of formats, without their readers: the service checks names before it starts a process that reads
 * documents, and it starts faster without the readers.
 */

/** JSON formats, which are read as a whole. When a document is recognised, they are tried in this order. */
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

/** All supported formats. */
export type ImportFormat = LineFormat | JsonFormatName;
export const importFormats: ReadonlyArray<ImportFormat> = [...lineFormats, ...jsonFormatNames];
