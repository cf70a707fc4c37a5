/** Marks a file as read models of this service: the letters `MERM`. */
export const applicationId = 0x4d45524d;
