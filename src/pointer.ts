/** The JSON Pointer (RFC 6901) one step below `path`. */
export const pointer = (path: string, key: string | number): string =>
  `${path}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
