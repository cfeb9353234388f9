export async function peers() {}
