async () => async (request) => {
  const { searchParams } = new URL(request.url);

  return Response.json({ of: searchParams.get('of'), method: request.method });
}
